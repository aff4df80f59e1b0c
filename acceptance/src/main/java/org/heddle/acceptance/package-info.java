// SPDX-License-Identifier: Apache-2.0
/** A Hadoop installation put together from Maven's jars, and its daemons and clients as processes. */
@NullMarked
package org.heddle.acceptance;

import org.jspecify.annotations.NullMarked;
