// SPDX-License-Identifier: Apache-2.0
/**
 * The one table of the elements of {@code heddle-scheduler.xml}, and the syntax of their values. Nothing here reads or
 * writes a file.
 */
@NullMarked
package org.heddle.scheduler.config.schema;

import org.jspecify.annotations.NullMarked;
