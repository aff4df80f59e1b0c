// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration as plain values: settings of queues and of the cluster, and what they are made of. No Hadoop type;
 * what is published is in {@code snapshot}.
 */
@NullMarked
package org.heddle.scheduler.model;

import org.jspecify.annotations.NullMarked;
