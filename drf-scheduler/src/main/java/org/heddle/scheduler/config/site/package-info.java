// SPDX-License-Identifier: Apache-2.0
/**
 * Hadoop's site files, read without Hadoop: properties with their lines, and their values as Hadoop hands them out.
 * Nothing here knows what a property means.
 */
@NullMarked
package org.heddle.scheduler.config.site;

import org.jspecify.annotations.NullMarked;
