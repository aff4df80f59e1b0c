// SPDX-License-Identifier: Apache-2.0
/**
 * The configuration in force: where its file is, how it is loaded again, and how YARN's mutable configuration changes it. It knows no queue and no application.
 */
@NullMarked
package org.heddle.scheduler.yarn.config;

import org.jspecify.annotations.NullMarked;
