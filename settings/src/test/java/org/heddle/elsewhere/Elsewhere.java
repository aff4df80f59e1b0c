// SPDX-License-Identifier: Apache-2.0
package org.heddle.elsewhere;

/** Stands for a class of another module. */
public final class Elsewhere {}
