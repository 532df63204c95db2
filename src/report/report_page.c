/* report_page.c - the page around the report's data; see report_data.h.
 *
 * Script, style and policy are the files of web/dist, which `npm run build` in web/ renews and
 * cmake/embed.cmake embeds. The policy names the digests of script and style, so that the browser runs
 * nothing else and loads nothing. Data are JSON in an element that never runs, with no text that could end
 * the element. */
#include <string.h>

#include "report/report_data.h"

extern const unsigned char ank_report_js[], ank_report_css[], ank_report_policy[];
extern const size_t ank_report_js_size, ank_report_css_size, ank_report_policy_size;

static anorank_status put(ank_output *output, const char *text, anorank_error *err) {
  return ank_output_write(output, text, strlen(text), err);
}

/* Write untrusted text into the markup: the title. */
static anorank_status put_escaped(ank_output *output, const char *text, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  for (size_t left = strlen(text), step; left > 0 && status == ANORANK_OK; text += step, left -= step) {
    step = ank_utf8_length(text, left);
    int bad = step == 0 || ank_utf8_steers(text, step);
    if (step == 0) step = 1;
    const char *instead = bad            ? "?"
                          : *text == '<' ? "&lt;"
                          : *text == '>' ? "&gt;"
                          : *text == '&' ? "&amp;"
                                         : NULL;
    status = instead ? put(output, instead, err) : ank_output_write(output, text, step, err);
  }
  return status;
}

anorank_status ank_report_write_page(ank_output *output, const ank_report *report, anorank_error *err) {
  anorank_status status = ANORANK_OK;
  ANK_TRY(put(output, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", err));
  ANK_TRY(put(output, "<meta http-equiv=\"Content-Security-Policy\" content=\"", err));
  ANK_TRY(ank_output_write(output, ank_report_policy, ank_report_policy_size, err));
  ANK_TRY(put(output,
              "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
              "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" "
              "content=\"no-referrer\">\n"
              "<link rel=\"icon\" href=\"data:,\">\n<title>",
              err));
  ANK_TRY(put_escaped(output, report->title, err));
  ANK_TRY(put(output, ": what stands out</title>\n<style>", err));
  ANK_TRY(ank_output_write(output, ank_report_css, ank_report_css_size, err));
  ANK_TRY(put(output, "</style>\n</head>\n<body>\n<main id=\"report\"><h1>", err));
  ANK_TRY(put_escaped(output, report->ranking->answer, err));
  ANK_TRY(put(output, "</h1><noscript><p>The rest of this report needs JavaScript.</p></noscript></main>\n",
              err));
  ANK_TRY(put(output, "<script type=\"application/json\" id=\"data\">", err));
  ANK_TRY(ank_report_write_json(output, report, err));
  ANK_TRY(put(output, "</script>\n<script>", err));
  ANK_TRY(ank_output_write(output, ank_report_js, ank_report_js_size, err));
  ANK_TRY(put(output, "</script>\n</body>\n</html>\n", err));
done:
  return status;
}
