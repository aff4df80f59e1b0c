// SPDX-License-Identifier: Apache-2.0
/**
 * Write a framework in call-backs: {@link org.heddle.offers.client.Scheduler} and, if its tasks are not plain commands,
 * {@link org.heddle.offers.client.Executor}. Drivers speak the v1 HTTP API, so they work with Mesos too. The shapes are
 * those of Mesos' classic drivers; the messages are Mesos' v1 messages.
 */
@NullMarked
package org.heddle.offers.client;

import org.jspecify.annotations.NullMarked;
