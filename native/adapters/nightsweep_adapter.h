/*
 * By this interface another library's data plane is measured as a backend, with the same cases, timing and checks as MPI's:
 * `--backend NAME` loads libnightsweep-NAME.so from the folder that NIGHTSWEEP_ADAPTERS names, or from the program's own, and asks
 * it for nightsweep_adapter_of_library(). MPI starts the ranks and stays the control plane.
 *
 * Buffers lie in the host's memory. Functions return 0, or an error that error_text explains. Collectives that are null are done by
 * messages. Nothing may be kept of a buffer once its message has been waited for.
 */
#ifndef NIGHTSWEEP_ADAPTER_H
#define NIGHTSWEEP_ADAPTER_H
#include <stddef.h>

#define NIGHTSWEEP_ADAPTER_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/** Who takes part, and a way of telling each other addresses before the data plane is there. */
typedef struct nightsweep_world {
  int rank, ranks;
  void* context;
  /** Gathers so many bytes of every rank, in the order of ranks; collective. */
  void (*exchange)(void* context, const void* own, size_t bytes, void* all);
} nightsweep_world;

typedef struct nightsweep_adapter {
  /** NIGHTSWEEP_ADAPTER_VERSION as it was compiled. */
  int version;
  /** The library's own name and version, probed, such as "ucx 1.13.1". */
  const char* (*library)(void);
  const char* (*error_text)(int error);
  /** Collective. */
  int (*open)(const nightsweep_world* world, void** state);
  /** Collective; all messages have been waited for. */
  void (*close)(void* state);

  /** Non-blocking; *request is null where it is done already. Messages of a pair with one tag stay in order. */
  int (*send)(void* state, const void* data, size_t bytes, int to, int tag, void** request);
  /** The message is at most so many bytes long. */
  int (*receive)(void* state, void* data, size_t bytes, int from, int tag, void** request);
  /** Waits, frees the request, and tells how many bytes a receive got. */
  int (*wait)(void* state, void* request, size_t* moved);
  /** Lets messages under way get on. */
  int (*progress)(void* state);

  /** Bytes to and from each rank, and where each rank's begin; may be null. */
  int (*all_to_all_v)(void* state, const void* send, const size_t* send_bytes, const size_t* send_offsets, void* receive,
                      const size_t* receive_bytes, const size_t* receive_offsets);
} nightsweep_adapter;

/** The one symbol that a library of an adapter must have. */
const nightsweep_adapter* nightsweep_adapter_of_library(void);

#ifdef __cplusplus
}
#endif
#endif
