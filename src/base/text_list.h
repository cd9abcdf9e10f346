/* Texts of others in a row: the words of a command line, the values of an option. */
#ifndef TARE_BASE_TEXT_LIST_H
#define TARE_BASE_TEXT_LIST_H

#include <stddef.h>

struct text_list {
	const char **items;
	size_t count;
};

int text_list_add(struct text_list *list, const char *text); /* -1: no memory */
void text_list_release(struct text_list *list);

#endif
