// SPDX-License-Identifier: Apache-2.0
/**
 * A client library for frameworks: implement {@link org.heddle.offers.client.Scheduler} and, if tasks are not plain
 * commands, {@link org.heddle.offers.client.Executor}. The drivers use the v1 HTTP API, so they work with Mesos too.
 * The interfaces are like Mesos' classic drivers, and the messages are Mesos' v1 messages.
 */
package org.heddle.offers.client;
