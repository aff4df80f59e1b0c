// SPDX-License-Identifier: Apache-2.0
/**
 * The servlet and the pages.
 */
@NullMarked
package org.heddle.scheduler.http;

import org.jspecify.annotations.NullMarked;
