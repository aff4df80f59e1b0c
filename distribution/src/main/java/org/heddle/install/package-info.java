// SPDX-License-Identifier: Apache-2.0
/**
 * The commands {@code heddle install} and {@code heddle uninstall}: plugin jars into a Hadoop home and out of it; and
 * {@code heddle maven-install}: libraries into a Maven repository.
 */
@NullMarked
package org.heddle.install;

import org.jspecify.annotations.NullMarked;
