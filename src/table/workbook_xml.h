/* workbook_xml.h - the XML parts of a workbook, parsed by expat. */
#ifndef ANK_TABLE_WORKBOOK_XML_H
#define ANK_TABLE_WORKBOOK_XML_H

#include <expat.h>

#include "table/zip.h"

/* Shared state of the handlers of a part; a failure in one stops the parser. */
typedef struct ank_xml {
  XML_Parser parser;
  void *state;
  anorank_status status;
  anorank_error *err;
} ank_xml;

/* Create a parser whose user data is `xml`. It refuses a document type, so there are no entities to
 * expand. */
anorank_status ank_xml_begin(ank_xml *xml, void *state, XML_StartElementHandler start,
                             XML_EndElementHandler end, XML_CharacterDataHandler text, anorank_error *err);
void ank_xml_end(ank_xml *xml);

/* Parse the next bytes; `name` is the part in messages. */
anorank_status ank_xml_feed(ank_xml *xml, const char *bytes, size_t length, int last, const char *name);

/* Stop after a failure. */
void ank_xml_fail(ank_xml *xml, anorank_status status);

/* Parse a whole part of the archive; a missing one is ignored. */
anorank_status ank_xml_part(ank_zip *zip, const char *part, const char *archive, size_t limit, void *state,
                            XML_StartElementHandler start, XML_EndElementHandler end,
                            XML_CharacterDataHandler text, anorank_error *err);

/* Return the name of an element or attribute without its prefix. */
const char *ank_xml_local(const char *name);

/* Return the value of an attribute by its name without a prefix; NULL if it is missing. */
const char *ank_xml_attribute(const char **attributes, const char *name);

#endif
