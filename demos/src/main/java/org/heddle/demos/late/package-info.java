// SPDX-License-Identifier: Apache-2.0
/** {@code ./demo late}: the same job on a cluster with one slowed node, without speculation and with LATE. */
@NullMarked
package org.heddle.demos.late;

import org.jspecify.annotations.NullMarked;
