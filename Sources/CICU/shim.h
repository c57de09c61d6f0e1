#ifndef CICU_SHIM_H
#define CICU_SHIM_H
// ICU renames its functions by macro (utrans_openU_72), which Swift does not see: each one that we call has a plain name here.
#include <unicode/ucol.h>
#include <unicode/uclean.h>
#include <unicode/unorm2.h>
#include <unicode/utrans.h>
#include <unicode/uversion.h>

#endif
