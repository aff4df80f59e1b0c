// SPDX-License-Identifier: Apache-2.0
/**
 * The agent, a program in a YARN container: it starts tasks and executors and connects executors to the bridge. It uses
 * nothing but the JDK and this package, which the bridge ships to nodes as a small jar.
 */
@NullMarked
package org.heddle.offers.agent;

import org.jspecify.annotations.NullMarked;
