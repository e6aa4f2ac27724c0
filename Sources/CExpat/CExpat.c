#include "CExpat.h"
