// SPDX-License-Identifier: Apache-2.0
package org.heddle.offers.master;

/** What has one YARN application of its own: a framework in one of its roles. */
public record AppKey(String frameworkId, String role) {}
