/* option_hints.h - names that options and commands used to have, and names that other tools have for them. */
#ifndef CLI_NAMES_H
#define CLI_NAMES_H

#include "command.h"

/* The present name of an option that was renamed; NULL if it never had the name typed. Old names keep
 * working: the parser says once what the new one is. */
const char *cli_current_name(const cli_command *command, const char *typed, size_t length);

/* What to do instead of an option or a command that other tools have: the end of a sentence, or NULL. */
const char *cli_option_instead(const char *typed, size_t length);
const char *cli_command_instead(const char *typed);

#endif
