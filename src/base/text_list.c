#include "base/text_list.h"

#include "base/array.h"
#include "base/memory.h"

int text_list_add(struct text_list *list, const char *text)
{
	if (array_resize(&list->items, list->count + 1) != 0)
		return -1;
	list->items[list->count++] = text;
	return 0;
}

void text_list_release(struct text_list *list)
{
	mem_free(list->items);
	*list = (struct text_list){0};
}
