/* workbook_xml.c - see workbook_xml.h. */
#include "table/workbook_xml.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"

#define STEP ((size_t)1 << 15)

static void *get_memory(size_t size) {
  void *pointer;
  return ank_alloc_raw(&pointer, size, 1, NULL) == ANORANK_OK ? pointer : NULL;
}

static void *resize_memory(void *pointer, size_t size) {
  return ank_resize(&pointer, size, 1, NULL) == ANORANK_OK ? pointer : NULL;
}

static void refuse_doctype(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                           int internal) {
  ank_xml *xml = data;
  (void)name, (void)system, (void)public, (void)internal;
  ank_xml_fail(xml,
               ank_fail(xml->err, ANORANK_ERROR_DATA, "xlsx-document-type",
                        "the workbook declares an XML document type, which is not allowed; save it again"));
}

anorank_status ank_xml_begin(ank_xml *xml, void *state, XML_StartElementHandler start,
                             XML_EndElementHandler end, XML_CharacterDataHandler text, anorank_error *err) {
  static const XML_Memory_Handling_Suite memory = {get_memory, resize_memory, ank_free};
  *xml = (ank_xml){.state = state, .err = err};
  xml->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
  if (!xml->parser)
    return ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-exhausted",
                    "out of memory for reading the workbook");
  XML_SetUserData(xml->parser, xml);
  XML_SetElementHandler(xml->parser, start, end);
  XML_SetCharacterDataHandler(xml->parser, text);
  XML_SetStartDoctypeDeclHandler(xml->parser, refuse_doctype);
  return ANORANK_OK;
}

void ank_xml_end(ank_xml *xml) {
  if (xml->parser) XML_ParserFree(xml->parser);
  xml->parser = NULL;
}

void ank_xml_fail(ank_xml *xml, anorank_status status) {
  if (xml->status == ANORANK_OK) xml->status = status;
  XML_StopParser(xml->parser, XML_FALSE);
}

anorank_status ank_xml_feed(ank_xml *xml, const char *bytes, size_t length, int last, const char *name) {
  if (XML_Parse(xml->parser, bytes, (int)length, last) == XML_STATUS_OK) return xml->status;
  if (xml->status != ANORANK_OK) return xml->status;
  enum XML_Error code = XML_GetErrorCode(xml->parser);
  if (code == XML_ERROR_NO_MEMORY)
    return ank_fail(xml->err, ANORANK_ERROR_RESOURCES, "memory-exhausted",
                    "%s: out of memory for reading the workbook", name);
  return ank_fail(xml->err, ANORANK_ERROR_DATA, "xlsx-xml",
                  "%s: the workbook has invalid XML at line %lu (%s); save it again", name,
                  (unsigned long)XML_GetCurrentLineNumber(xml->parser), XML_ErrorString(code));
}

anorank_status ank_xml_part(ank_zip *zip, const char *part, const char *archive, size_t limit, void *state,
                            XML_StartElementHandler start, XML_EndElementHandler end,
                            XML_CharacterDataHandler text, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  size_t index = ank_zip_find(zip, part), got = 1, total = 0;
  ank_source *source = NULL;
  ank_xml xml = {0};
  char name[512], *buffer = NULL;
  if (index == SIZE_MAX) return ANORANK_OK;
  snprintf(name, sizeof name, "%.300s[%.100s]", archive, part);
  ANK_TRY(ank_xml_begin(&xml, state, start, end, text, err));
  ANK_TRY(ank_alloc_raw(&buffer, STEP, 1, err));
  ANK_TRY(ank_zip_member(&source, zip, index, name, err));
  while (got > 0) {
    ANK_TRY(ank_source_read(source, buffer, STEP, &got, err));
    total += got;
    if (total > limit) {
      status = ank_fail(err, ANORANK_ERROR_RESOURCES, "memory-limit",
                        "%s: unpacks to more than the %zu bytes allowed", name, limit);
      ank_remedy_default_memory(err, limit);
      goto done;
    }
    ANK_TRY(ank_xml_feed(&xml, buffer, got, got == 0, name));
  }
done:
  ank_xml_end(&xml);
  ank_source_free(source);
  ank_free(buffer);
  return status;
}

const char *ank_xml_local(const char *name) {
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

const char *ank_xml_attribute(const char **attributes, const char *name) {
  for (; attributes[0]; attributes += 2)
    if (strcmp(ank_xml_local(attributes[0]), name) == 0) return attributes[1];
  return NULL;
}
