// SPDX-License-Identifier: Apache-2.0
/**
 * The bridge's network ports, on Netty: the Mesos v1 HTTP APIs, their event streams, pages, and the connections of
 * agents. No decision belongs here, and no class of Hadoop.
 */
@NullMarked
package org.heddle.offers.http;

import org.jspecify.annotations.NullMarked;
