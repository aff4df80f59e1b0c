// SPDX-License-Identifier: Apache-2.0
/**
 * The Mesos master in front of YARN: its parts put together, and the entry for calls and events; knows neither Hadoop nor clock nor sockets.
 */
@NullMarked
package org.heddle.offers.master;

import org.jspecify.annotations.NullMarked;
