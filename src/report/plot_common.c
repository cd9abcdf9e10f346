/* What the terminal plots share: sizes, the words for nothing to draw, the line below. */
#include "report/plot_draw.h"

#include "report/frame.h"

size_t plot_width(const struct look *look)
{
	size_t width = look_width(look);
	return width < PLOT_LEAST_WIDTH ? PLOT_LEAST_WIDTH : width;
}

size_t plot_height(const struct look *look, size_t suitable)
{
	size_t height = look->height ? look->height : suitable;
	return height < PLOT_LEAST_HEIGHT ? PLOT_LEAST_HEIGHT : height;
}

bool plot_has_values(const struct axis_range *range, const struct look *look, struct buffer *out)
{
	if (range->finite > 0)
		return true;
	look_begin(look, EMPHASIS_FAINT, out);
	if (range->lost)
		buffer_printf(out, "no values to plot (%zu lost)", range->lost);
	else
		buffer_text_add(out, "no values to plot");
	look_end(look, EMPHASIS_FAINT, out);
	buffer_char(out, '\n');
	return false;
}

int plot_finish(struct canvas *canvas, const struct axis_range *range, const char *unit, const struct look *look,
                struct buffer *out, struct error *err)
{
	char note[256];
	canvas_write(canvas, look, out);
	if (range && frame_note(range, unit, note, sizeof(note))) {
		look_begin(look, EMPHASIS_WARN, out);
		text_fit(out, note, canvas->width, canvas->charset);
		look_end(look, EMPHASIS_WARN, out);
		buffer_char(out, '\n');
	}
	canvas_release(canvas);
	return buffer_error(out, err);
}
