// SPDX-License-Identifier: Apache-2.0
/** The schedulers that can be compared, and the configuration with which each is replayed. */
@NullMarked
package org.heddle.whatif.scheduler;

import org.jspecify.annotations.NullMarked;
