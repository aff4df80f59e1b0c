// SPDX-License-Identifier: Apache-2.0
/**
 * The Mesos master in front of YARN: the entry for calls and events, and the frameworks. It connects the packages below
 * it; it knows neither Hadoop nor a clock nor sockets.
 */
@NullMarked
package org.heddle.offers.master;

import org.jspecify.annotations.NullMarked;
