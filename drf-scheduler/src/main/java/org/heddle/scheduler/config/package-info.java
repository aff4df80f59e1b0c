// SPDX-License-Identifier: Apache-2.0
/**
 * What every room of the configuration shares: problems of a file, the names that a file may use, and where the file is. It refers to none of the rooms below it.
 */
@NullMarked
package org.heddle.scheduler.config;

import org.jspecify.annotations.NullMarked;
