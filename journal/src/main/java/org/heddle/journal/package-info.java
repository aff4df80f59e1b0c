// SPDX-License-Identifier: Apache-2.0
/**
 * A write-ahead log with snapshots, and its files in a local directory; no class here knows Hadoop or a record's
 * meaning.
 */
@NullMarked
package org.heddle.journal;

import org.jspecify.annotations.NullMarked;
