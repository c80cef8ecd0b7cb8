/*
 * The interface by which another library's data plane is measured as a backend, with the same cases, timing
 * and checks as MPI's. `--backend NAME` loads libnightsweep-NAME.so from the folder in NIGHTSWEEP_ADAPTERS,
 * or from the program's own folder, and calls its nightsweep_adapter_of_library(). MPI starts the ranks and
 * stays the control plane.
 *
 * Functions return 0, or an error that error_text explains. Collectives that are null are replaced by
 * messages. The library must not keep references to a buffer after its message has been waited for.
 *
 * A library that moves a GPU's memory has a name that ends in -cuda or -hip. Its buffers come from the
 * runtime (cudaMalloc, hipMalloc, or pinned or managed memory), on the device that is current when it is
 * opened. It must order its work on the buffers after everything in the world's stream so far, and before
 * everything enqueued there later. Timing relies on this: events on the stream mark begin and end, and the
 * host does not wait in between.
 */
#ifndef NIGHTSWEEP_ADAPTER_H
#define NIGHTSWEEP_ADAPTER_H
#include <stddef.h>

#define NIGHTSWEEP_ADAPTER_VERSION 2

#ifdef __cplusplus
extern "C" {
#endif

/** The memory in which a library's buffers lie. */
typedef enum nightsweep_memory { NIGHTSWEEP_HOST, NIGHTSWEEP_DEVICE } nightsweep_memory;

/** The ranks, and a way for them to exchange addresses before the data plane works. */
typedef struct nightsweep_world {
  int rank, ranks;
  void* context;
  /** Gathers this many bytes from every rank, in the order of ranks; collective. */
  void (*exchange)(void* context, const void* own, size_t bytes, void* all);
  /** A cudaStream_t or hipStream_t; null for host memory. */
  void* stream;
} nightsweep_world;

typedef struct nightsweep_adapter {
  /** The value of NIGHTSWEEP_ADAPTER_VERSION when it was compiled. */
  int version;
  nightsweep_memory memory;
  /** The library's own name and version, such as "ucx 1.13.1". */
  const char* (*library)(void);
  const char* (*error_text)(int error);
  /** Collective. */
  int (*open)(const nightsweep_world* world, void** state);
  /** Collective; called after all messages have been waited for. */
  void (*close)(void* state);

  /**
   * Non-blocking. *request is null if the message is done already, or only enqueued. Messages between the
   * same two ranks with the same tag stay in order.
   */
  int (*send)(void* state, const void* data, size_t bytes, int to, int tag, void** request);
  /** The message has at most this many bytes. */
  int (*receive)(void* state, void* data, size_t bytes, int from, int tag, void** request);
  /** Waits, frees the request, and returns the number of bytes received. */
  int (*wait)(void* state, void* request, size_t* moved);
  /** Lets pending messages progress. */
  int (*progress)(void* state);

  /**
   * Sizes and offsets in bytes for each rank, this one included. Null if the library has only messages; on a
   * device it must not be null.
   */
  int (*all_to_all_v)(void* state, const void* send, const size_t* send_bytes, const size_t* send_offsets,
                      void* receive, const size_t* receive_bytes, const size_t* receive_offsets);
} nightsweep_adapter;

/** The symbol that an adapter's library must export. */
const nightsweep_adapter* nightsweep_adapter_of_library(void);

#ifdef __cplusplus
}
#endif
#endif
