// SPDX-License-Identifier: Apache-2.0
/**
 * How every process of Heddle starts another one, and the encoding in which the system takes its text. It uses nothing
 * but the JDK, because the offer bridge's agent takes it along to the nodes.
 */
@NullMarked
package org.heddle.settings.process;

import org.jspecify.annotations.NullMarked;
