/*
 * By this interface another library's data plane is measured as a backend, with the same cases, timing and
 * checks as MPI's:
 * `--backend NAME` loads libnightsweep-NAME.so from the folder that NIGHTSWEEP_ADAPTERS names, or from the
 * program's own, and asks it for nightsweep_adapter_of_library(). MPI starts the ranks and stays the control
 * plane.
 *
 * Functions return 0, or an error that error_text explains. Collectives that are null are done by messages.
 * Nothing may be kept of a buffer once its message has been waited for.
 *
 * A library that moves a GPU's memory has a name that ends in -cuda or -hip. Its buffers are the runtime's
 * (cudaMalloc, hipMalloc, or pinned or managed memory), on the device that is current when it is opened; what
 * it does with them comes after what lies in the world's stream already, and before what is enqueued there
 * next. So it is timed: by events on the stream before and after, and the host waits for nothing between.
 */
#ifndef NIGHTSWEEP_ADAPTER_H
#define NIGHTSWEEP_ADAPTER_H
#include <stddef.h>

#define NIGHTSWEEP_ADAPTER_VERSION 2

#ifdef __cplusplus
extern "C" {
#endif

/** Where the buffers lie that a library moves. */
typedef enum nightsweep_memory { NIGHTSWEEP_HOST, NIGHTSWEEP_DEVICE } nightsweep_memory;

/** Who takes part, and a way of telling each other addresses before the data plane is there. */
typedef struct nightsweep_world {
  int rank, ranks;
  void* context;
  /** Gathers so many bytes of every rank, in the order of ranks; collective. */
  void (*exchange)(void* context, const void* own, size_t bytes, void* all);
  /** A cudaStream_t or hipStream_t; null where the memory is the host's. */
  void* stream;
} nightsweep_world;

typedef struct nightsweep_adapter {
  /** NIGHTSWEEP_ADAPTER_VERSION as it was compiled. */
  int version;
  nightsweep_memory memory;
  /** The library's own name and version, probed, such as "ucx 1.13.1". */
  const char* (*library)(void);
  const char* (*error_text)(int error);
  /** Collective. */
  int (*open)(const nightsweep_world* world, void** state);
  /** Collective; all messages have been waited for. */
  void (*close)(void* state);

  /** Non-blocking; *request is null where it is done already, or enqueued. Messages of a pair with one tag
   * stay in order. */
  int (*send)(void* state, const void* data, size_t bytes, int to, int tag, void** request);
  /** The message is at most so many bytes long. */
  int (*receive)(void* state, void* data, size_t bytes, int from, int tag, void** request);
  /** Waits, frees the request, and tells how many bytes a receive got. */
  int (*wait)(void* state, void* request, size_t* moved);
  /** Lets messages under way get on. */
  int (*progress)(void* state);

  /** Bytes to and from each rank, this one too, and where each rank's begin; null for messages, which on a
   * device it may not be. */
  int (*all_to_all_v)(void* state, const void* send, const size_t* send_bytes, const size_t* send_offsets,
                      void* receive, const size_t* receive_bytes, const size_t* receive_offsets);
} nightsweep_adapter;

/** The one symbol that a library of an adapter must have. */
const nightsweep_adapter* nightsweep_adapter_of_library(void);

#ifdef __cplusplus
}
#endif
#endif
