#!/usr/bin/env python3
"""The structure of a report, one line each: sections, plots with their titles, rows of tables, folded parts. Fails on HTML that is not
well formed, on duplicate identifiers, and on a script or link that the page did not bring along.

usage: report_outline.py REPORT.html
"""
import base64
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "input", "br", "img", "link"}
text = open(sys.argv[1], encoding="utf-8").read()


class Outline(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.lines, self.heading, self.rows, self.script, self.data = [], set(), [], None, 0, "", []
        self.folded = 0
        self.kind, self.policy = None, ""

    def put(self, line):
        self.lines.append("  " * sum(tag in ("article", "section", "details", "figure") for tag in self.open) + line)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key, value in attributes:
            assert not key.startswith("on"), f"handler {key}"
            if key in ("src", "href"):
                assert tag == "a" and value.startswith("#"), f"{tag} refers to {value}"
        if "id" in values:
            assert values["id"] not in self.ids, f"two elements have the id {values['id']}"
            self.ids.add(values["id"])
        if tag == "meta" and values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"]
        if tag == "figure":
            self.put(f"plot {values['data-plot']} {values['class'].split()[-1]}")
        elif tag == "section":
            self.put(f"section {values.get('class', '')}".rstrip())
        elif tag == "article":
            self.put(values["class"])
        elif tag == "tbody":
            self.rows = 0
        elif tag == "tr":
            self.rows += 1
        elif tag in ("h1", "h2", "h3"):
            self.heading = ""
        elif tag == "script":
            self.kind, self.script = values.get("type"), ""
        if tag == "details":
            self.folded = len(self.lines)
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}, line {self.getpos()[0]}"
        self.open.pop()
        if tag in ("h1", "h2", "h3"):
            if self.heading != "Notes":  # depends on every warning there is
                self.put(f"{tag} {re.sub('[0-9.]+', 'N', self.heading)}")
            self.heading = None
        elif tag == "details":
            inside = ", ".join(line.strip() for line in self.lines[self.folded:])
            del self.lines[self.folded:]
            self.put(f"folded: {inside}")
        elif tag == "table":
            self.put(f"table of {self.rows} rows")
        elif tag == "script":
            if self.kind == "application/json":
                self.data.append(json.loads(self.script))
                self.put(f"data of {len(self.data[-1]['subjects'])} subjects")
            else:
                digest = base64.b64encode(hashlib.sha256(self.script.encode()).digest()).decode()
                assert f"'sha256-{digest}'" in self.policy, "the policy does not allow the page's script"
            self.kind = None

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)

    def handle_data(self, data):
        if self.heading is not None:
            self.heading += data
        if self.open and self.open[-1] == "script":
            self.script += data


outline = Outline()
outline.feed(text)
outline.close()
assert not outline.open, f"never closed: {outline.open}"
assert "default-src 'none'" in outline.policy
last, count = None, 0
for line in outline.lines + [None]:
    if line == last:
        count += 1
        continue
    if last is not None:
        print(last + (f" x {count}" if count > 1 else ""))
    last, count = line, 1
