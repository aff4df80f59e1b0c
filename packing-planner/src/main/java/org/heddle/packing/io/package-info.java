// SPDX-License-Identifier: Apache-2.0
/** Problems and plans as JSON or YAML, each violation named with its path. */
@NullMarked
package org.heddle.packing.io;

import org.jspecify.annotations.NullMarked;
