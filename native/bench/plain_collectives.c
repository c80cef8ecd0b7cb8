/*
 * A plain loop over MPI's collectives, to compare nightsweep-kernels with. One line for each point: name,
 * bytes, seconds (the median over samples of the maximum over ranks). Arguments: samples, warmup, then points
 * as COLLECTIVE:BYTES:OPS, where OPS operations are one sample.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void run(const char* name, float* send, float* receive, int count, int ranks, int rank) {
  if (strcmp(name, "allreduce") == 0) {
    MPI_Allreduce(send, receive, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(name, "allgather") == 0) {
    MPI_Allgather(send, count / ranks, MPI_FLOAT, receive, count / ranks, MPI_FLOAT, MPI_COMM_WORLD);
  } else if (strcmp(name, "reduce-scatter") == 0) {
    MPI_Reduce_scatter_block(send, receive, count / ranks, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(name, "all-to-all") == 0) {
    MPI_Alltoall(send, count / ranks, MPI_FLOAT, receive, count / ranks, MPI_FLOAT, MPI_COMM_WORLD);
  } else if (strcmp(name, "broadcast") == 0) {
    MPI_Bcast(receive, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
  } else if (strcmp(name, "send-receive") == 0) {
    MPI_Sendrecv(send, count, MPI_FLOAT, (rank + 1) % ranks, 0, receive, count, MPI_FLOAT, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    fprintf(stderr, "no collective %s\n", name);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}

static void point(const char* argument, int samples, int warmup, int ranks, int rank) {
  char name[32];
  size_t bytes;
  int ops;
  if (sscanf(argument, "%31[^:]:%zu:%d", name, &bytes, &ops) != 3) {
    fprintf(stderr, "no point %s\n", argument);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const int count = (int)(bytes / sizeof(float));
  /* Page-aligned and touched, like the buffers of nightsweep-kernels. */
  const size_t size = (bytes + 4095) / 4096 * 4096;
  float* send = aligned_alloc(4096, size);
  float* receive = aligned_alloc(4096, size);
  double* times = malloc((size_t)samples * sizeof(double));
  for (size_t i = 0; i < size / sizeof(float); ++i) send[i] = (float)(i % 61 + 1);
  memset(receive, 0, size);
  for (int i = 0; i < warmup; ++i) run(name, send, receive, count, ranks, rank);
  for (int i = 0; i < samples; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int op = 0; op < ops; ++op) run(name, send, receive, count, ranks, rank);
    times[i] = (MPI_Wtime() - start) / ops;
  }
  MPI_Allreduce(MPI_IN_PLACE, times, samples, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  qsort(times, (size_t)samples, sizeof(double), ascending);
  if (rank == 0) printf("%s %zu %.9e\n", name, bytes, times[(samples + 1) / 2 - 1]);
  free(send);
  free(receive);
  free(times);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc < 4) {
    fprintf(stderr, "usage: plain-collectives SAMPLES WARMUP COLLECTIVE:BYTES:OPS...\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int i = 3; i < argc; ++i) point(argv[i], atoi(argv[1]), atoi(argv[2]), ranks, rank);
  MPI_Finalize();
  return 0;
}
