// SPDX-License-Identifier: Apache-2.0
/** Says in words what the decision log of a job holds. No class here decides anything, or refers to the speculator. */
@NullMarked
package org.heddle.late.explain;

import org.jspecify.annotations.NullMarked;
