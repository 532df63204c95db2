"""Workbooks for the tests, written by openpyxl: run from the top of the project. The files are committed; building and
testing need neither Python nor openpyxl."""
import datetime
import os
import sys
import zipfile

import openpyxl

TOP = "tests/golden/xlsx/"
os.makedirs(TOP, exist_ok=True)

book = openpyxl.Workbook()
sheet = book.active
sheet.title = "Zahlungen"
sheet.append(["Report of May"])
sheet.append([])
sheet.append(["id", "amount", "when", "day", "at", "ok", "note", "sum"])
for i in range(4):
    sheet.append([f"C{i}", 10.25 + i, datetime.datetime(2025, 1, 2 + i, 8, 30 + i), datetime.date(2025, 12, 28 + i),
                  datetime.time(23, 59, i), i % 2 == 0, ["plain", 'a "b"', "c, d", "Zürich"][i], f"=B{i + 4}*2"])
sheet["B7"] = None
sheet["G7"] = "#N/A"
sheet["G7"].data_type = "e"
other = book.create_sheet("zwei")
other.append(["a", "b"])
other.append([1, 2])
other.append([3, 4])
book.save(TOP + "book.xlsx")

book = openpyxl.Workbook()
book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
book.active.append(["d"])
book.active.append([datetime.date(2025, 12, 31)])
book.save(TOP + "from1904.xlsx")

# by hand: inline texts, no references, no styles, a gap, prefixes, an entity that must not be expanded
TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
RELS = ('<?xml version="1.0"?><Relationships><Relationship Id="r1" Type="x" Target="worksheets/s.xml"/></Relationships>')
BOOK = ('<?xml version="1.0"?><x:workbook xmlns:x="m" xmlns:r="n"><x:sheets><x:sheet name="S" sheetId="1" r:id="r1"/>'
        '</x:sheets></x:workbook>')


def write(name, sheet, method=zipfile.ZIP_DEFLATED, book=BOOK):
    with zipfile.ZipFile(TOP + name, "w", method) as archive:
        for path, text in (("[Content_Types].xml", TYPES), ("xl/workbook.xml", book),
                           ("xl/_rels/workbook.xml.rels", RELS), ("xl/worksheets/s.xml", sheet)):
            archive.writestr(zipfile.ZipInfo(path, (2025, 1, 1, 0, 0, 0)), text, method)


CELLS = ('<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="C1" t="inlineStr"><is><r><t>c</t></r>'
         '<r><t>c</t></r></is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="C2"><v>2.5E-1</v></c></row>'
         '<row r="9"><c><v>3</v></c><c t="e"><v>#DIV/0!</v></c><c t="str"><f>1+1</f><v>4</v></c></row>')
write("inline.xlsx", '<?xml version="1.0"?><worksheet><sheetData>' + CELLS + '</sheetData></worksheet>')
write("stored.xlsx", '<?xml version="1.0"?><worksheet><sheetData>' + CELLS + '</sheetData></worksheet>', zipfile.ZIP_STORED)
write("entity.xlsx", '<?xml version="1.0"?><!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><worksheet>'
      '<sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>')
write("broken.xlsx", '<?xml version="1.0"?><worksheet><sheetData><row><c><v>1</v></row>')
write("empty.xlsx", '<?xml version="1.0"?><worksheet><sheetData/></worksheet>')
write("no-text.xlsx", '<?xml version="1.0"?><worksheet><sheetData><row><c t="s"><v>7</v></c></row></sheetData></worksheet>')
write("backward.xlsx", '<?xml version="1.0"?><worksheet><sheetData><row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'
      '</sheetData></worksheet>')
write("no-sheet.xlsx", "<w/>", book='<?xml version="1.0"?><workbook><sheets/></workbook>')
with zipfile.ZipFile(TOP + "open.ods", "w") as archive:
    archive.writestr(zipfile.ZipInfo("mimetype", (2025, 1, 1, 0, 0, 0)), "application/vnd.oasis.opendocument.spreadsheet")
    archive.writestr(zipfile.ZipInfo("content.xml", (2025, 1, 1, 0, 0, 0)), "<x/>")
print("openpyxl", openpyxl.__version__, file=sys.stderr)
