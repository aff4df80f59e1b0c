// SPDX-License-Identifier: Apache-2.0
/**
 * Tasks and executors: ACCEPT, launching, status updates, and the executor API; nothing about offers that are not
 * accepted.
 */
@NullMarked
package org.heddle.offers.master.tasks;

import org.jspecify.annotations.NullMarked;
