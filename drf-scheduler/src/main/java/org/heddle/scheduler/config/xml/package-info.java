// SPDX-License-Identifier: Apache-2.0
/**
 * XML text and trees whose elements know their line, and the collector of problems. Nothing here knows what an element means.
 */
@NullMarked
package org.heddle.scheduler.config.xml;

import org.jspecify.annotations.NullMarked;
