// SPDX-License-Identifier: Apache-2.0
/**
 * The active configuration: where its file is, how it is reloaded, and how YARN's mutable configuration changes it.
 * It refers to no other room: it knows no queue and no application.
 *
 * <p>Public for other rooms: {@link org.heddle.scheduler.yarn.config.ActiveConfiguration} and {@link
 * org.heddle.scheduler.yarn.config.ConfigurationChanges}.
 */
@NullMarked
package org.heddle.scheduler.yarn.config;

import org.jspecify.annotations.NullMarked;
