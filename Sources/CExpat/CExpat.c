#include "CExpat.h"

#include <stdlib.h>

#ifdef __APPLE__
#include <malloc/malloc.h>
#define USABLE malloc_size
#else
#include <malloc.h>
#define USABLE malloc_usable_size
#endif

/// What the parsers of this thread have in use.
static _Thread_local size_t memory;

static void *allocate(size_t size) {
  void *block = malloc(size);
  if (block) memory += USABLE(block);
  return block;
}

static void *reallocate(void *block, size_t size) {
  size_t before = block ? USABLE(block) : 0;
  void *moved = realloc(block, size);
  if (moved) memory += USABLE(moved) - before;
  return moved;
}

static void release(void *block) {
  if (block) memory -= USABLE(block);
  free(block);
}

XML_Parser cexpat_create(void) {
  XML_Memory_Handling_Suite suite = {allocate, reallocate, release};
  return XML_ParserCreate_MM(NULL, &suite, NULL);
}

size_t cexpat_memory(void) { return memory; }
