/* SPDX-License-Identifier: Apache-2.0
 * A token goes around all processes some times; each adds 1. Prints "ring of N, R rounds: N*R" from process 0.
 * With a second argument, process 0 sleeps that many seconds between rounds, and the others sleep while they wait for it:
 * MPI_Recv alone would use a processor.
 * usage: ring [rounds [seconds]]
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void receive(long *token, int from, int gently) {
  int there = !gently;
  while (!there) {
    MPI_Iprobe(from, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    if (!there) {
      usleep(5000);
    }
  }
  MPI_Recv(token, 1, MPI_LONG, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  int pause = argc > 2 ? atoi(argv[2]) : 0;
  int next = (rank + 1) % size, before = (rank + size - 1) % size;
  long token = 0;
  for (int round = 0; round < rounds; round++) {
    if (rank > 0) {
      receive(&token, before, pause > 0);
      token++;
      MPI_Send(&token, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
    } else {
      token++;
      if (size > 1) {
        MPI_Send(&token, 1, MPI_LONG, next, 0, MPI_COMM_WORLD);
        receive(&token, before, pause > 0);
      }
      if (pause > 0) {
        printf("round %d\n", round + 1);
        fflush(stdout);
        sleep(pause);
      }
    }
  }
  if (rank == 0) {
    printf("ring of %d, %d rounds: %ld\n", size, rounds, token);
  }
  MPI_Finalize();
  return rank == 0 && token != (long)size * rounds ? 1 : 0;
}
