// SPDX-License-Identifier: Apache-2.0
/**
 * XML as text and as the tree of commons-configuration2, with the line of each element, and the problems of one file.
 * Nothing here knows what an element means.
 */
@NullMarked
package org.heddle.scheduler.config.xml;

import org.jspecify.annotations.NullMarked;
