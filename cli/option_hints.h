/* option_hints.h - old names of options and commands, and their names in other tools. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "command.h"

/* Return the present name of a renamed option; NULL if the typed name is not an old one. Old names keep
 * working, with a note. */
const char *cli_current_name(const cli_command *command, const char *typed, size_t length);

/* Return advice for an option or command of other tools, as the end of a sentence, or NULL. */
const char *cli_option_instead(const char *typed, size_t length);
const char *cli_command_instead(const char *typed);

#endif
