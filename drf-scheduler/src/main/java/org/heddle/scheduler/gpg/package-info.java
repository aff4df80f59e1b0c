// SPDX-License-Identifier: Apache-2.0
/**
 * The policy generator's part in a federation: it reads the sub-clusters, makes the {@link
 * org.heddle.scheduler.federation.FederationPlan}, and writes policies and weights into the federation's state store.
 * Runs in Hadoop's GlobalPolicyGenerator, never in a ResourceManager.
 */
@NullMarked
package org.heddle.scheduler.gpg;

import org.jspecify.annotations.NullMarked;
