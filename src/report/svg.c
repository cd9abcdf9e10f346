/* Writing SVG. Coordinates have a tenth of a pixel: enough for every screen, and short. */
#include "report/svg.h"

#include "report/markup.h"
#include "report/text_width.h"

#include <math.h>
#include <stdlib.h>

double svg_width(const struct svg_options *options)
{
	double width = options->width > 0 ? options->width : 560;
	return width < 240 ? 240 : width > 10000 ? 10000 : width;
}

double svg_height(const struct svg_options *options, double suitable)
{
	double height = options->height > 0 ? options->height : suitable;
	return height < 120 ? 120 : height;
}

size_t svg_points(const struct svg_options *options)
{
	return options->points ? options->points : 600;
}

const char *svg_style(void)
{
	/* Blue and orange stay apart for every kind of colour vision; good and bad also differ in words. */
	return ".tare-plot{--paper:#fff;--ink:#1d2733;--soft:#5a6672;--rule:#e1e6eb;--axis:#98a3ae;--one:#1666c5;"
		   "--two:#bf560f;--three:#7b45b5;--good:#127746;--bad:#bd2430;--warn:#9a6100;--band:#8794a1;"
		   "font:12px/1.3 system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,sans-serif;"
		   "max-width:100%;height:auto;overflow:visible}"
		   "@media (prefers-color-scheme:dark){.tare-plot{--paper:#14191f;--ink:#e4e9ef;--soft:#a0abb6;--rule:#2a323b;"
		   "--axis:#63707d;--one:#6db3ff;--two:#ff9f5f;--three:#c79bff;--good:#4fc78c;--bad:#ff8086;--warn:#e3b54a;"
		   "--band:#7d8a97}}"
		   "@media print{.tare-plot{--paper:#fff;--ink:#000;--soft:#444;--rule:#ddd;--axis:#888;--one:#1666c5;"
		   "--two:#bf560f;--three:#7b45b5;--good:#127746;--bad:#bd2430;--warn:#9a6100;--band:#8794a1}}"
		   ".tare-plot.alone{background:var(--paper)}"
		   ".tare-plot text{fill:var(--ink);direction:ltr;unicode-bidi:isolate;font-variant-numeric:tabular-nums}"
		   ".tare-plot text.head{font-weight:600}"
		   ".tare-plot text.tick,.tare-plot text.soft{fill:var(--soft)}"
		   ".tare-plot text.name{font-family:ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}"
		   ".tare-plot text.note{fill:var(--warn)}"
		   ".tare-plot text.good{fill:var(--good)}.tare-plot text.bad{fill:var(--bad)}"
		   ".tare-plot text.warn{fill:var(--warn)}"
		   ".tare-plot line,.tare-plot path{fill:none;stroke-width:1}"
		   ".tare-plot .rule{stroke:var(--rule)}.tare-plot .axis{stroke:var(--axis)}"
		   ".tare-plot .dash{stroke:var(--soft);stroke-dasharray:4 3}"
		   ".tare-plot .edge{stroke:var(--rule);stroke-width:1}"
		   ".tare-plot .change{stroke:var(--warn);stroke-width:1.5;stroke-dasharray:5 3}"
		   ".tare-plot .mark{stroke:var(--ink);stroke-width:2}"
		   ".tare-plot circle{fill-opacity:.65;stroke:none}"
		   ".tare-plot circle.one{fill:var(--one)}.tare-plot circle.two{fill:var(--two)}"
		   ".tare-plot circle.three{fill:var(--three)}"
		   ".tare-plot circle.good{fill:var(--good);fill-opacity:1}.tare-plot circle.bad{fill:var(--bad);fill-opacity:1}"
		   ".tare-plot circle.warn{fill:var(--warn);fill-opacity:1}.tare-plot circle.soft{fill:var(--soft);fill-opacity:1}"
		   ".tare-plot path.dots{stroke-width:3.6;stroke-linecap:round;stroke-opacity:.55}"
		   ".tare-plot path.dots.small{stroke-width:2.4}"
		   ".tare-plot path.one,.tare-plot line.one{stroke:var(--one)}"
		   ".tare-plot path.two,.tare-plot line.two{stroke:var(--two)}"
		   ".tare-plot path.three,.tare-plot line.three{stroke:var(--three)}"
		   ".tare-plot line.good{stroke:var(--good);stroke-width:2}.tare-plot line.bad{stroke:var(--bad);stroke-width:2}"
		   ".tare-plot line.warn{stroke:var(--warn);stroke-width:2}.tare-plot line.soft{stroke:var(--soft);stroke-width:2}"
		   ".tare-plot line.tested{stroke:var(--warn);stroke-width:2;stroke-dasharray:7 4}"
		   ".tare-plot line.limit{stroke:var(--bad);stroke-width:4}"
		   ".tare-plot path.range{stroke-opacity:.35}"
		   ".tare-plot path.curve{stroke-width:2;stroke-linejoin:round}"
		   ".tare-plot path.area{fill:var(--one);fill-opacity:.22;stroke:var(--one)}"
		   ".tare-plot path.area.two{fill:var(--two);stroke:var(--two)}"
		   ".tare-plot path.area.three{fill:var(--three);stroke:var(--three)}"
		   ".tare-plot path.arrow{fill:var(--warn)}.tare-plot path.arrow.good{fill:var(--good)}"
		   ".tare-plot path.arrow.bad{fill:var(--bad)}.tare-plot path.arrow.soft{fill:var(--soft)}"
		   ".tare-plot rect.one{fill:var(--one)}.tare-plot rect.two{fill:var(--two)}.tare-plot rect.warn{fill:var(--warn)}"
		   ".tare-plot rect.bar{fill-opacity:.8}"
		   ".tare-plot rect.band{fill:var(--band);fill-opacity:.22}.tare-plot rect.interval{fill:var(--one);fill-opacity:.2}"
		   ".tare-plot circle:hover{fill-opacity:1;stroke:var(--ink)}.tare-plot rect.bar:hover{fill-opacity:1}";
}

void svg_number(struct buffer *out, double value)
{
	long tenths = isfinite(value) ? lround(fmax(-1e6, fmin(1e6, value)) * 10) : 0;
	buffer_printf(out, "%s%ld", tenths < 0 ? "-" : "", labs(tenths) / 10);
	if (tenths % 10)
		buffer_printf(out, ".%ld", labs(tenths) % 10);
}

static void attribute(struct buffer *out, const char *name, double value)
{
	buffer_printf(out, " %s=\"", name);
	svg_number(out, value);
	buffer_char(out, '"');
}

static void open_element(struct buffer *out, const char *element, const char *class_)
{
	buffer_printf(out, "<%s class=\"%s\"", element, class_);
}

/* Ends an element that may hold a title. */
static void end_element(struct buffer *out, const char *element, const char *title)
{
	if (!title) {
		buffer_text_add(out, "/>\n");
		return;
	}
	buffer_text_add(out, "><title>");
	markup_escape_fit(out, title, 300);
	buffer_printf(out, "</title></%s>\n", element);
}

void svg_open(struct buffer *out, const struct svg_options *options, double width, double height, const char *title,
              const char *description)
{
	buffer_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tare-plot%s\" viewBox=\"0 0 ",
	              options->standalone ? " alone" : "");
	svg_number(out, width);
	buffer_char(out, ' ');
	svg_number(out, height);
	buffer_char(out, '"');
	attribute(out, "width", width);
	attribute(out, "height", height);
	buffer_text_add(out, " role=\"img\" tabindex=\"0\" aria-labelledby=\"");
	markup_identifier(out, options->id);
	buffer_text_add(out, "-t ");
	markup_identifier(out, options->id);
	buffer_text_add(out, "-d\">\n<title id=\"");
	markup_identifier(out, options->id);
	buffer_text_add(out, "-t\">");
	markup_escape_fit(out, options->title ? options->title : title, 300);
	buffer_text_add(out, "</title>\n<desc id=\"");
	markup_identifier(out, options->id);
	buffer_text_add(out, "-d\">");
	markup_escape_fit(out, options->description ? options->description : description, 2000);
	buffer_text_add(out, "</desc>\n");
	if (options->standalone)
		buffer_printf(out, "<style>%s</style>\n", svg_style());
}

void svg_close(struct buffer *out)
{
	buffer_text_add(out, "</svg>\n");
}

/* The widest of the usual fonts has digits of 0.64 em; two more for an "m" or "M" of a unit. */
double svg_text_width(const char *text)
{
	size_t columns = text_width(text, TEXT_UNICODE);
	return columns ? (double)columns * 0.64 * SVG_FONT + 2 : 0;
}

void svg_line(struct buffer *out, const char *class_, double x1, double y1, double x2, double y2)
{
	open_element(out, "line", class_);
	attribute(out, "x1", x1);
	attribute(out, "y1", y1);
	attribute(out, "x2", x2);
	attribute(out, "y2", y2);
	end_element(out, "line", NULL);
}

void svg_rect(struct buffer *out, const char *class_, struct svg_box box, const char *title)
{
	open_element(out, "rect", class_);
	attribute(out, "x", box.x);
	attribute(out, "y", box.y);
	attribute(out, "width", box.width);
	attribute(out, "height", box.height);
	end_element(out, "rect", title);
}

void svg_circle(struct buffer *out, const char *class_, double x, double y, double radius, const char *title)
{
	open_element(out, "circle", class_);
	attribute(out, "cx", x);
	attribute(out, "cy", y);
	attribute(out, "r", radius);
	end_element(out, "circle", title);
}

static void open_text(struct buffer *out, const char *class_, double x, double y, enum svg_anchor anchor)
{
	open_element(out, "text", class_);
	attribute(out, "x", x);
	attribute(out, "y", y);
	static const char *const anchors[] = {
		[SVG_START] = ">", [SVG_MIDDLE] = " text-anchor=\"middle\">", [SVG_END] = " text-anchor=\"end\">"};
	buffer_text_add(out, anchors[anchor]);
}

void svg_text(struct buffer *out, const char *class_, double x, double y, enum svg_anchor anchor, const char *text)
{
	open_text(out, class_, x, y, anchor);
	markup_escape(out, text);
	buffer_text_add(out, "</text>\n");
}

void svg_text_fit(struct buffer *out, const char *class_, double x, double y, enum svg_anchor anchor, const char *text,
                  double width)
{
	/* Bold and monospaced text is a little wider than the ticks' digits. */
	double columns = floor(width / (0.68 * SVG_FONT));
	size_t most = columns > 0 ? (size_t)columns : 0;
	open_text(out, class_, x, y, anchor);
	markup_escape_fit(out, text, most);
	if (text_width(text, TEXT_UNICODE) > most) {
		buffer_text_add(out, "<title>");
		markup_escape_fit(out, text, 300);
		buffer_text_add(out, "</title>");
	}
	buffer_text_add(out, "</text>\n");
}

void svg_arrow(struct buffer *out, const char *class_, double x, double y, int across, int down, const char *title)
{
	buffer_printf(out, "<path class=\"arrow %s\" d=\"M", class_);
	svg_number(out, x);
	buffer_char(out, ' ');
	svg_number(out, y);
	if (down)
		buffer_printf(out, "l-4 %dh8z\"", -7 * down);
	else
		buffer_printf(out, "l%d -4v8z\"", -7 * across);
	end_element(out, "path", title);
}

void svg_dots_begin(struct svg_dots *dots, struct buffer *out, const char *class_, size_t count, bool plain)
{
	*dots = (struct svg_dots){out, class_, count <= SVG_FEW && !plain};
	if (!dots->few)
		buffer_printf(out, "<path class=\"dots %s%s\" d=\"", class_, count > 4 * SVG_FEW ? " small" : "");
}

void svg_dot(struct svg_dots *dots, double x, double y, const char *title)
{
	if (!dots->few) {
		buffer_char(dots->out, 'M');
		svg_number(dots->out, x);
		buffer_char(dots->out, ' ');
		svg_number(dots->out, y);
		buffer_text_add(dots->out, "h0");
		return;
	}
	svg_circle(dots->out, dots->class_, x, y, 2.4, title);
}

void svg_dots_end(struct svg_dots *dots)
{
	if (!dots->few)
		buffer_text_add(dots->out, "\"/>\n");
}
