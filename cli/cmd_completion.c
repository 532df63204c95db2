/* cmd_completion.c - anorank completion bash|zsh|fish: a completion script from the tables of the program. */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "text.h"

static int is_file(const cli_item *option) {
  return option->placeholder && strcmp(option->placeholder, "FILE") == 0;
}

/* Never offer a quote as a choice: all three shells would interpret it. */
static void put_choices(const char *choices) {
  for (; *choices; choices++)
    if (*choices != '\'') putchar(*choices == '|' ? ' ' : *choices);
}

static void put_words(const char *(*word_at)(size_t i)) {
  const char *word;
  for (size_t i = 0; (word = word_at(i)) != NULL; i++) printf("%s%s", i ? " " : "", word);
}

/* Write help text inside single quotes; otherwise zsh and fish interpret some characters. */
static void put_quoted(const char *text, const char *escaped) {
  for (; *text; text++) {
    if (*text == '\'') {
      fputs("'\\''", stdout);
      continue;
    }
    if (strchr(escaped, *text)) putchar('\\');
    putchar(*text);
  }
}

/* ---- bash -------------------------------------------------------------------------------------------- */

static void bash_values(const cli_command *command) {
  cli_item option;
  for (size_t i = 0; cli_item_at(&option, command, i); i++) {
    if (!option.placeholder) continue;
    printf("      %s:", command->name);
    if (option.letter) printf("-%c|%s:", option.letter, command->name);
    printf("--%s) ", option.name);
    if (option.choices) {
      printf("COMPREPLY=($(compgen -W '");
      put_choices(option.choices);
      printf("' -- \"$current\"))");
      printf("; ");
    }
    if (option.optional) printf("[[ $current == -* ]] || "); /* the next option may follow */
    printf("return ;;\n");                                   /* without candidates, bash completes files */
  }
}

static void bash_options(const cli_command *command) {
  cli_item option;
  printf("      %s) words='", command->name);
  for (size_t i = 0; cli_item_at(&option, command, i); i++) {
    if (option.letter) printf("-%c ", option.letter);
    printf("--%s ", option.name);
  }
  printf("' ;;\n");
}

static void bash_arguments(const cli_command *command) {
  const cli_positional *first = command->positionals;
  if (!first->word_at) return;
  printf("    %s) COMPREPLY=($(compgen -W '", command->name);
  put_words(first->word_at);
  printf("' -- \"$current\")) ;;\n");
}

static void each_command(void (*print)(const cli_command *command)) {
  const cli_command *command;
  for (size_t i = 0; (command = cli_command_at(i)) != NULL; i++)
    if (!command->hidden) print(command);
}

static void write_bash(void) {
  printf("# bash completion for anorank; made by 'anorank completion bash'\n"
         "_anorank() {\n"
         "  local current=\"${COMP_WORDS[COMP_CWORD]}\" previous=\"${COMP_WORDS[COMP_CWORD-1]}\" words=''\n"
         "  local command=\"${COMP_WORDS[1]}\"\n"
         "  COMPREPLY=()\n"
         "  # --name=value reaches us as three words\n"
         "  if [[ $current == '=' ]]; then current=''; "
         "elif [[ $previous == '=' ]]; then previous=\"${COMP_WORDS[COMP_CWORD-2]}\"; fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    COMPREPLY=($(compgen -W '");
  put_words(cli_command_word);
  printf(" --help --version' -- \"$current\"))\n    return\n  fi\n  case \"$command:$previous\" in\n");
  each_command(bash_values);
  printf("  esac\n  if [[ $current == -* ]]; then\n    case \"$command\" in\n");
  each_command(bash_options);
  printf("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n    return\n  fi\n"
         "  case \"$command\" in\n");
  each_command(bash_arguments);
  printf("  esac\n}\ncomplete -o default -F _anorank anorank\n");
}

/* ---- zsh --------------------------------------------------------------------------------------------- */

static void zsh_value(const cli_item *option) {
  printf("%s:%s:", option->optional ? ":" : "", option->placeholder);
  if (option->choices) {
    putchar('(');
    put_choices(option->choices);
    putchar(')');
  } else if (is_file(option)) {
    printf("_files");
  }
}

static void zsh_command(const cli_command *command) {
  cli_item option;
  printf("    %s)\n      _arguments -s", command->name);
  for (size_t i = 0; cli_item_at(&option, command, i); i++) {
    for (int letter = option.letter ? 1 : 0; letter >= 0; letter--) {
      printf(" \\\n        '*");
      if (letter)
        printf("-%c%s[", option.letter, option.placeholder ? "+" : "");
      else
        printf("--%s%s[", option.name, option.placeholder ? "=" : "");
      put_quoted(option.help, "[]:\\");
      putchar(']');
      if (option.placeholder) zsh_value(&option);
      putchar('\'');
    }
  }
  for (const cli_positional *one = command->positionals; one->name; one++) {
    printf(" \\\n        '%s%s:", one->required ? ":" : "::", one->name);
    if (one->word_at) {
      putchar('(');
      put_words(one->word_at);
      printf(")'");
    } else {
      printf("_files'");
    }
  }
  printf(" ;;\n");
}

static void zsh_name(const cli_command *command) {
  printf("      '%s:", command->name);
  put_quoted(command->summary, ":\\");
  printf("'\n");
}

static void write_zsh(void) {
  printf("#compdef anorank\n# made by 'anorank completion zsh'\n"
         "_anorank() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n");
  each_command(zsh_name);
  printf("    )\n    _describe command commands\n    return\n  fi\n"
         "  local command=${words[2]}\n  shift words\n  ((CURRENT--))\n  case $command in\n");
  each_command(zsh_command);
  /* autoloaded from a folder of $fpath the file is the function; sourced, it only registers it */
  printf("  esac\n}\nif [[ ${funcstack[1]} == _anorank ]]; then _anorank \"$@\"; "
         "else compdef _anorank anorank; fi\n");
}

/* ---- fish -------------------------------------------------------------------------------------------- */

static void fish_command(const cli_command *command) {
  cli_item option;
  printf("complete -c anorank -n __fish_use_subcommand -f -a %s -d '", command->name);
  put_quoted(command->summary, "\\");
  printf("'\n");
  const cli_positional *first = command->positionals;
  if (first->word_at) {
    printf("complete -c anorank -n '__fish_seen_subcommand_from %s' -f -a '", command->name);
    put_words(first->word_at);
    printf("'\n");
  }
  for (size_t i = 0; cli_item_at(&option, command, i); i++) {
    printf("complete -c anorank -n '__fish_seen_subcommand_from %s' -l %s", command->name, option.name);
    if (option.letter) printf(" -s %c", option.letter);
    if (option.choices) {
      printf("%s -a '", option.optional ? " -f" : " -x");
      put_choices(option.choices);
      putchar('\'');
    } else if (option.placeholder) {
      printf(is_file(&option) ? " -r -F" : " -x");
    }
    printf(" -d '");
    put_quoted(option.help, "\\");
    printf("'\n");
  }
}

static void write_fish(void) {
  printf("# fish completion for anorank; made by 'anorank completion fish'\n");
  each_command(fish_command);
}

/* ---- the command ------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  void (*write)(void);
} shells[] = {{"bash", write_bash}, {"zsh", write_zsh}, {"fish", write_fish}};

enum { SHELLS = sizeof shells / sizeof shells[0] };

static const char *shell_word(size_t i) { return i < SHELLS ? shells[i].name : NULL; }

static int run(cli_call *call) {
  char shown[80];
  for (size_t i = 0; i < SHELLS; i++)
    if (strcmp(call->positionals[0], shells[i].name) == 0) {
      shells[i].write();
      return 0;
    }
  return cli_usage_error(call, "completion-unknown", "no completion for '%s'; use bash, zsh or fish",
                         cli_printable(shown, sizeof shown, call->positionals[0]));
}

const cli_command cli_cmd_completion = {
    .name = "completion",
    .summary = "print a shell completion script",
    .usage = "bash|zsh|fish",
    .description = "Print a script that completes commands, options and their values in a shell. Installed "
                   "packages include it.",
    .positionals = {{"SHELL", "bash, zsh or fish", 1, shell_word}},
    .examples = {{"source <(anorank completion bash)", "enable completion in this bash session"}},
    .run = run,
};
