// SPDX-License-Identifier: Apache-2.0
/** The single writer: frameworks, offers, tasks and executors, in the terms of the Mesos v1 API. Knows neither Hadoop nor clock nor sockets. */
@NullMarked
package org.heddle.offers.master;

import org.jspecify.annotations.NullMarked;
