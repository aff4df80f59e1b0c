// SPDX-License-Identifier: Apache-2.0
/** The process inside a host container: forks tasks, relays executors. Plain JDK, shipped as a small jar of its own. */
@NullMarked
package org.heddle.offers.agent;

import org.jspecify.annotations.NullMarked;
