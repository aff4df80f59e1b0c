/* SPDX-License-Identifier: Apache-2.0
 * Solves a dense random system by Gaussian elimination with partial pivoting, rows dealt cyclically to the processes, and
 * checks the residual as High-Performance LINPACK does: |Ax-b| / (eps (|A| |x| + |b|) n), all in the maximum norm, must be
 * below 16. Exit code 1 if it is not.
 * usage: solve [n [repetitions]]
 */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

/* Element (i, j) of the system; column n is the right side. The same on each process, without storing it. */
static double element(uint64_t i, uint64_t j) {
  uint64_t z = (i << 32 | j) + 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0 - 0.5;
}

/* Swaps rows a and b, which two processes may hold. */
static void swap(double *rows, double *spare, int a, int b, int width) {
  int of_a = a % size, of_b = b % size;
  double *row_a = rows + (size_t)(a / size) * width, *row_b = rows + (size_t)(b / size) * width;
  size_t bytes = sizeof(double) * width;
  if (a == b || (rank != of_a && rank != of_b)) {
    return;
  }
  if (of_a == of_b) {
    memcpy(spare, row_a, bytes);
    memcpy(row_a, row_b, bytes);
    memcpy(row_b, spare, bytes);
  } else {
    double *mine = rank == of_a ? row_a : row_b;
    MPI_Sendrecv_replace(mine, width, MPI_DOUBLE, rank == of_a ? of_b : of_a, 1, rank == of_a ? of_b : of_a, 1,
                         MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void eliminate(double *rows, double *pivot, int n) {
  int width = n + 1;
  for (int k = 0; k < n; k++) {
    struct { double value; int row; } best = {-1, k}, all;
    int first = k / size + (rank < k % size ? 1 : 0);
    for (int i = first; i * size + rank < n; i++) {
      double value = fabs(rows[(size_t)i * width + k]);
      if (value > best.value) {
        best.value = value;
        best.row = i * size + rank;
      }
    }
    MPI_Allreduce(&best, &all, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
    swap(rows, pivot, k, all.row, width);
    if (rank == k % size) {
      memcpy(pivot + k, rows + (size_t)(k / size) * width + k, sizeof(double) * (width - k));
    }
    MPI_Bcast(pivot + k, width - k, MPI_DOUBLE, k % size, MPI_COMM_WORLD);
    for (int i = (k + 1) / size + (rank < (k + 1) % size ? 1 : 0); i * size + rank < n; i++) {
      double *row = rows + (size_t)i * width, factor = row[k] / pivot[k];
      for (int j = k; j < width; j++) {
        row[j] -= factor * pivot[j];
      }
    }
  }
}

static void substitute(double *rows, double *x, int n) {
  int width = n + 1;
  for (int k = n - 1; k >= 0; k--) {
    if (rank == k % size) {
      double *row = rows + (size_t)(k / size) * width;
      x[k] = row[n] / row[k];
    }
    MPI_Bcast(x + k, 1, MPI_DOUBLE, k % size, MPI_COMM_WORLD);
    for (int i = 0; i * size + rank < k; i++) {
      rows[(size_t)i * width + n] -= rows[(size_t)i * width + k] * x[k];
    }
  }
}

/* The scaled residual, from the system as it was. */
static double residual(const double *x, int n) {
  double mine[3] = {0, 0, 0}, all[3], norm_x = 0;
  for (int i = rank; i < n; i += size) {
    double sum = 0, row = 0;
    for (int j = 0; j < n; j++) {
      double value = element(i, j);
      sum += value * x[j];
      row += fabs(value);
    }
    mine[0] = fmax(mine[0], fabs(sum - element(i, n)));
    mine[1] = fmax(mine[1], row);
    mine[2] = fmax(mine[2], fabs(element(i, n)));
  }
  for (int j = 0; j < n; j++) {
    norm_x = fmax(norm_x, fabs(x[j]));
  }
  MPI_Allreduce(mine, all, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all[0] / (DBL_EPSILON * (all[1] * norm_x + all[2]) * n);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = argc > 1 ? atoi(argv[1]) : 500, repetitions = argc > 2 ? atoi(argv[2]) : 1, good = 1;
  if (n < 1 || repetitions < 1) {
    if (rank == 0) {
      fprintf(stderr, "usage: solve [n [repetitions]], both above 0\n");
    }
    MPI_Finalize();
    return 2;
  }
  int width = n + 1, mine = n / size + (rank < n % size ? 1 : 0);
  double *rows = malloc(sizeof(double) * ((size_t)mine + 1) * width), *pivot = malloc(sizeof(double) * width),
         *x = malloc(sizeof(double) * n);
  if (!rows || !pivot || !x) {
    fprintf(stderr, "solve: no memory for a system of %d\n", n);
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  for (int repetition = 0; repetition < repetitions && good; repetition++) {
    for (int i = 0; i < mine; i++) {
      for (int j = 0; j < width; j++) {
        rows[(size_t)i * width + j] = element((uint64_t)i * size + rank, j);
      }
    }
    double begin = MPI_Wtime();
    eliminate(rows, pivot, n);
    substitute(rows, x, n);
    double seconds = MPI_Wtime() - begin, scaled = residual(x, n);
    good = scaled < 16;
    if (rank == 0) {
      printf("n=%d processes=%d seconds=%.3f gflops=%.3f residual=%.4f %s\n", n, size, seconds,
             (2.0 / 3 * n * n * n + 2.0 * n * n) / seconds / 1e9, scaled, good ? "PASSED" : "FAILED");
      fflush(stdout);
    }
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
