// SPDX-License-Identifier: Apache-2.0
/**
 * Accounting of what applications used: rows for each hour, their file format, and reports over them. Nothing here
 * knows Hadoop, files or a clock.
 */
@NullMarked
package org.heddle.scheduler.accounting;

import org.jspecify.annotations.NullMarked;
