// SPDX-License-Identifier: Apache-2.0
/**
 * What all packages of the configuration share: the problems of a file, the names that a file may use, and the location
 * of the file. Nothing here refers to one of these packages. No Hadoop type.
 */
@NullMarked
package org.heddle.scheduler.config;

import org.jspecify.annotations.NullMarked;
