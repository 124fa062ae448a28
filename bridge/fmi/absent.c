/* Stands for the FMU formats in a build without libzip: they are there, and say what is missing. */
#include "parts.h"

static bristle_fault_kind refuse(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  (void)q, (void)r;
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "install libzip-dev and build again",
                      "this build has no FMUs, because libzip was missing");
}

const bridge_format format_fmu2 = { "fmu2", "FMI 2.0 (missing in this build)", ".fmu", BRIDGE_SHAPE | BRIDGE_LOAD,
                                    refuse };
const bridge_format format_fmu3 = { "fmu3", "FMI 3.0 (missing in this build)", ".fmu", BRIDGE_SHAPE | BRIDGE_LOAD,
                                    refuse };
