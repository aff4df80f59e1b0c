// SPDX-License-Identifier: Apache-2.0
/**
 * The scheduler and executor protocols of Mesos over HTTP, in bytes: subscription, RecordIO, redirects to the leader,
 * heartbeat timeouts, acknowledgements, credentials, TLS. No class of protobuf or Mesos belongs in here: the driver for
 * the old API (module mesos-driver) uses the same classes with whatever protobuf its framework brings. Not an API for
 * frameworks.
 */
package org.heddle.offers.client.protocol;
