// SPDX-License-Identifier: Apache-2.0
/** MPI programs: MPICH's mpiexec, with its proxies as tasks. */
@NullMarked
package org.heddle.frameworks.mpi;

import org.jspecify.annotations.NullMarked;
