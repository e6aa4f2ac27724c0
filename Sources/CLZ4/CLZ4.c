#include "CLZ4.h"
