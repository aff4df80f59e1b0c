// SPDX-License-Identifier: Apache-2.0
package org.apache.mesos;

/** Stands for Mesos' native library, which this driver does not need: loading does nothing. */
public class MesosNativeLibrary {
    /** The version of Mesos whose API the drivers have. */
    public static final String VERSION = "1.11.0";

    private static final Version CURRENT = new Version(1, 11, 0);

    private MesosNativeLibrary() {}

    public static void load() {}

    /** @param path ignored */
    public static void load(String path) {}

    public static Version version() {
        return CURRENT;
    }

    /** A version with three numbers. */
    public static class Version implements Comparable<Version> {
        public final long major;
        public final long minor;
        public final long patch;

        public Version(long major) {
            this(major, 0, 0);
        }

        public Version(long major, long minor) {
            this(major, minor, 0);
        }

        /** @throws IllegalArgumentException if a number is negative */
        public Version(long major, long minor, long patch) {
            if (major < 0 || minor < 0 || patch < 0) {
                throw new IllegalArgumentException("the version " + major + "." + minor + "." + patch
                        + " has a negative number: want three numbers of 0 or more");
            }
            this.major = major;
            this.minor = minor;
            this.patch = patch;
        }

        @SuppressWarnings("NonOverridingEquals") // part of the class that this one replaces
        public boolean equals(Version other) {
            return other != null && compareTo(other) == 0;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Version && compareTo((Version) other) == 0;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(major * 1_000_003 + minor * 1_009 + patch);
        }

        @Override
        public int compareTo(Version other) {
            if (other == null) {
                throw new IllegalArgumentException("other Version must not be null");
            }
            int order = Long.compare(major, other.major);
            if (order == 0) {
                order = Long.compare(minor, other.minor);
            }
            return order != 0 ? order : Long.compare(patch, other.patch);
        }

        public boolean before(Version other) {
            return compareTo(other) < 0;
        }

        public boolean after(Version other) {
            return compareTo(other) > 0;
        }
    }
}
