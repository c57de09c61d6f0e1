# Makes the package and the tarball where no Swift toolchain is installed: docker build --output dist .
FROM swift:6.2-bookworm AS build
RUN apt-get update && apt-get install -y make
COPY . /addressbook
WORKDIR /addressbook
RUN make dist

FROM scratch
COPY --from=build /addressbook/.build/dist /
